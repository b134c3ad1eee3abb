#pragma once
#include <seccomp.h>
// Swift does not import macros with casts.
static const uint32_t shim_seccomp_allow = SCMP_ACT_ALLOW;
static const int shim_seccomp_unknown_call = __NR_SCMP_ERROR;
