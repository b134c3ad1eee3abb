#pragma once
#include <dlfcn.h>
#include <openssl/evp.h>

// Loads OpenSSL at its first use: a program that needs no digest does not pay for it. `method` is a function of EVP_sha256(3).
// Returns the number of bytes written, 0 without the library.
static inline unsigned int shim_digest(const char *method, const void *bytes, size_t count, unsigned char *digest) {
    static void *library;
    if (!library) library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
    const EVP_MD *(*algorithm)(void) = (const EVP_MD *(*)(void))dlsym(library, method);
    int (*run)(const void *, size_t, unsigned char *, unsigned int *, const EVP_MD *, ENGINE *) =
        (int (*)(const void *, size_t, unsigned char *, unsigned int *, const EVP_MD *, ENGINE *))dlsym(library, "EVP_Digest");
    unsigned int length = 0;
    return algorithm && run && run(bytes, count, digest, &length, algorithm(), 0) == 1 ? length : 0;
}
