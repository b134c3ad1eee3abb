#pragma once
// What the machine is like: adjtimex(2), whose header the Swift overlay of Glibc hides.
#include <sys/timex.h>

// Whether something keeps the system's clock right: 1, 0, or -1 where the kernel does not tell.
static inline int shim_clock_is_kept(void) {
    struct timex state = {0};
    if (adjtimex(&state) < 0) return -1;
    return (state.status & STA_UNSYNC) == 0;
}
