#pragma once
#include <dlfcn.h>
#include <openssl/evp.h>

// Loads OpenSSL at its first use: a program that needs no digest does not pay for it.
static inline void *shim_library(void) {
    static void *library;
    if (!library) library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
    return library;
}

// Returns the number of bytes written, 0 without the library. `method` is a function of EVP_sha256(3).
static inline unsigned int shim_digest(const char *method, const void *bytes, size_t count, unsigned char *digest) {
    void *library = shim_library();
    if (!library) return 0;
    const EVP_MD *(*algorithm)(void) = (const EVP_MD *(*)(void))dlsym(library, method);
    int (*run)(const void *, size_t, unsigned char *, unsigned int *, const EVP_MD *, ENGINE *) =
        (int (*)(const void *, size_t, unsigned char *, unsigned int *, const EVP_MD *, ENGINE *))dlsym(library, "EVP_Digest");
    unsigned int length = 0;
    return algorithm && run && run(bytes, count, digest, &length, algorithm(), 0) == 1 ? length : 0;
}

// The same for HMAC(3).
static inline unsigned int shim_hmac(const char *method, const void *key, int key_count, const void *bytes, size_t count, unsigned char *code) {
    void *library = shim_library();
    if (!library) return 0;
    const EVP_MD *(*algorithm)(void) = (const EVP_MD *(*)(void))dlsym(library, method);
    unsigned char *(*run)(const EVP_MD *, const void *, int, const unsigned char *, size_t, unsigned char *, unsigned int *) =
        (unsigned char *(*)(const EVP_MD *, const void *, int, const unsigned char *, size_t, unsigned char *, unsigned int *))dlsym(library, "HMAC");
    unsigned int length = 0;
    return algorithm && run && run(algorithm(), key, key_count, bytes, count, code, &length) ? length : 0;
}
