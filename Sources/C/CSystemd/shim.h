#pragma once
#include <systemd/sd-bus.h>
#include "../CLinux/loading.h"

#define SYSTEMD_FUNCTIONS(each) \
    each(sd_bus_open_user) each(sd_bus_open_system) each(sd_bus_flush_close_unref) each(sd_bus_request_name) \
    each(sd_bus_add_object) each(sd_bus_slot_unref) each(sd_bus_get_fd) each(sd_bus_get_events) each(sd_bus_get_timeout) \
    each(sd_bus_process) each(sd_bus_send) each(sd_bus_call) each(sd_bus_reply_method_error) each(sd_bus_error_set) \
    each(sd_bus_error_free) each(sd_bus_message_ref) each(sd_bus_message_unref) each(sd_bus_message_new_method_call) \
    each(sd_bus_message_new_method_return) each(sd_bus_message_new_signal) each(sd_bus_message_is_method_call) \
    each(sd_bus_message_get_interface) each(sd_bus_message_get_member) each(sd_bus_message_get_path) \
    each(sd_bus_message_append_basic) each(sd_bus_message_open_container) each(sd_bus_message_close_container) \
    each(sd_bus_message_peek_type) each(sd_bus_message_read_basic) each(sd_bus_message_enter_container) \
    each(sd_bus_message_exit_container)
SHIM_LIBRARY(systemd_functions, "libsystemd.so.0", SYSTEMD_FUNCTIONS)
