#pragma once
// libpulse is loaded at its first use, not linked: only listeners with a PulseAudio output need it, and it costs 2 MB resident.
#include <pulse/pulseaudio.h>
#include <dlfcn.h>

#define PULSE_FUNCTIONS(each) \
    each(strerror) each(cvolume_set) each(cvolume_max) each(channel_map_init_extend) \
    each(proplist_new) each(proplist_sets) each(proplist_free) \
    each(operation_unref) \
    each(threaded_mainloop_new) each(threaded_mainloop_free) each(threaded_mainloop_start) each(threaded_mainloop_stop) \
    each(threaded_mainloop_lock) each(threaded_mainloop_unlock) each(threaded_mainloop_get_api) \
    each(context_new_with_proplist) each(context_unref) each(context_connect) each(context_disconnect) each(context_get_state) \
    each(context_errno) each(context_set_state_callback) each(context_set_subscribe_callback) each(context_subscribe) \
    each(context_get_sink_input_info) each(context_set_sink_input_volume) each(context_get_sink_info_list) \
    each(stream_new_with_proplist) each(stream_unref) each(stream_connect_playback) each(stream_disconnect) \
    each(stream_get_state) each(stream_get_index) each(stream_set_state_callback) each(stream_set_write_callback) \
    each(stream_writable_size) each(stream_write) each(stream_cork) each(stream_flush) each(stream_drain) \
    each(stream_set_underflow_callback) each(stream_get_timing_info) each(stream_set_latency_update_callback)

// The functions used, each with its declared type.
struct pulse_functions {
#define PULSE_FIELD(name) __typeof__(pa_##name) *_Nonnull name;
    PULSE_FUNCTIONS(PULSE_FIELD)
#undef PULSE_FIELD
};

// The functions; NULL if libpulse or one of them is missing (see dlerror(3)). Not for two threads at once.
static inline struct pulse_functions *_Nullable shim_load_pulse(void) {
    void *library = dlopen("libpulse.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) return NULL;
    static struct pulse_functions storage;
    struct pulse_functions *found = &storage;
#define PULSE_LOOK_UP(name) \
    void *name = dlsym(library, "pa_" #name); \
    if (!name) return NULL; \
    found->name = (__typeof__(pa_##name) *)name;
    PULSE_FUNCTIONS(PULSE_LOOK_UP)
#undef PULSE_LOOK_UP
    return found;
}
