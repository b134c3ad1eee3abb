internal import CSeccomp
internal import Glibc
internal import SystemCalls

/// An allow list of system calls: libseccomp's filter context with the default action "kill the process".
@safe struct SystemCallFilter: ~Copyable {
    // libseccomp's handle, owned by this value.
    private let context: scmp_filter_ctx

    enum Condition {
        /// None of these bits is set in argument `index` (from 0).
        case lacksBits(index: UInt32, UInt64)
        /// Argument `index` equals this number.
        case equals(index: UInt32, UInt64)
    }

    /// Allows no call: seccomp_init(3).
    init() throws(SystemError) {
        guard let context = unsafe seccomp_init(UInt32(SCMP_ACT_KILL_PROCESS)) else {
            throw SystemError(code: ENOMEM, call: "seccomp_init")
        }
        unsafe self.context = context
    }

    deinit { unsafe seccomp_release(context) }

    /// Allows a call if all conditions are met: seccomp_rule_add_array(3).
    /// - Parameter name: as in syscalls(2). A call that this architecture does not have is ignored.
    /// - Throws: `SystemError` for a name that libseccomp does not know.
    borrowing func allow(_ name: String, _ conditions: [Condition] = []) throws(SystemError) {
        let number = unsafe seccomp_syscall_resolve_name(name)
        guard number != shim_seccomp_unknown_call else { throw SystemError(code: EINVAL, call: "seccomp \(name)") }
        // Negative numbers are pseudo calls, which exist on other architectures only.
        guard number >= 0 else { return }
        let comparisons = conditions.map(\.comparison)
        let context = unsafe self.context
        let result = unsafe comparisons.withUnsafeBufferPointer { comparisons in
            unsafe seccomp_rule_add_array(
                context, shim_seccomp_allow, number, UInt32(comparisons.count), comparisons.baseAddress)
        }
        if result != 0 { throw SystemError(code: -result, call: "seccomp rule \(name)") }
    }

    /// Applies the filter to the calling thread permanently: seccomp_load(3). `no_new_privs` must be set before.
    consuming func load() throws(SystemError) {
        let result = unsafe seccomp_load(context)
        if result != 0 { throw SystemError(code: -result, call: "seccomp_load") }
    }
}

extension SystemCallFilter.Condition {
    fileprivate var comparison: scmp_arg_cmp {
        switch self {
        case .lacksBits(let index, let bits):
            scmp_arg_cmp(arg: index, op: SCMP_CMP_MASKED_EQ, datum_a: bits, datum_b: 0)
        case .equals(let index, let value): scmp_arg_cmp(arg: index, op: SCMP_CMP_EQ, datum_a: value, datum_b: 0)
        }
    }
}
