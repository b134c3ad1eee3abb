#pragma once
#include <shout/shout.h>
#include "../CLinux/loading.h"

#define SHOUT_FUNCTIONS(each) \
    each(shout_init) each(shout_new) each(shout_free) each(shout_open) each(shout_close) each(shout_get_connected) \
    each(shout_get_error) each(shout_send) each(shout_queuelen) each(shout_set_host) each(shout_set_port) each(shout_set_mount) \
    each(shout_set_user) each(shout_set_password) each(shout_set_agent) each(shout_set_content_format) each(shout_set_meta) \
    each(shout_set_nonblocking) each(shout_metadata_new) each(shout_metadata_add) each(shout_metadata_free) \
    each(shout_set_metadata_utf8)
SHIM_LIBRARY(shout_functions, "libshout.so.3", SHOUT_FUNCTIONS)
