internal import CLinux

/// Memory that the allocator keeps for whoever allocates next.
public enum FreedMemory {
    /// Gives what nothing uses back to the system: malloc_trim(3). For after work that allocated much and seldom comes.
    /// Any thread.
    public static func giveBack() { _ = malloc_trim(0) }
}
