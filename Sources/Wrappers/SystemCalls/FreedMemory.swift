internal import CLinux

/// Freed memory that the allocator keeps for later allocations.
public enum FreedMemory {
    /// Returns unused memory to the system: malloc_trim(3). For use after rare work that allocated much. Any thread.
    public static func giveBack() { _ = malloc_trim(0) }
}
