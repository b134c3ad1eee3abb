extension Collection where Element: Equatable {
    /// The parts between the separators, also those that are empty.
    @inlinable public func fields(separatedBy separator: Element) -> [SubSequence] {
        split(separator: separator, omittingEmptySubsequences: false)
    }

    /// Nil if it is empty.
    @inlinable public var nonEmpty: Self? { isEmpty ? nil : self }
}
