/// Whether this build has a sanitizer, which makes it several times slower. Tests that explore all orders of some steps explore one
/// step less then.
#if SANITIZED
    package let isSanitized = true
#else
    package let isSanitized = false
#endif
