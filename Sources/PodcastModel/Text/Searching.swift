// Swift's own functions of these names are in the module of regular expressions, which adds 1.3 MB to each program. Package.swift
// therefore switches the import of that module off. Disfavored, because tests also see Foundation's.

extension Collection where Element: Equatable {
    /// The first occurrence of a part; nil if there is none. An empty part is at the start.
    @inlinable @_disfavoredOverload
    public func firstRange(of part: some Collection<Element>) -> Range<Index>? {
        var start = startIndex
        while true {
            var end = start
            var rest = part[...]
            while let wanted = rest.first {
                guard end < endIndex else { return nil }
                guard self[end] == wanted else { break }
                rest = rest.dropFirst()
                formIndex(after: &end)
            }
            if rest.isEmpty { return start..<end }
            formIndex(after: &start)
        }
    }

    /// The parts between the occurrences of a separator, which is not empty, without empty parts.
    @inlinable @_disfavoredOverload
    public func split(separator: some Collection<Element>, maxSplits: Int = .max) -> [SubSequence] {
        var parts = [SubSequence]()
        var rest = self[...]
        while parts.count < maxSplits, let found = rest.firstRange(of: separator) {
            if found.lowerBound > rest.startIndex { parts.append(rest[..<found.lowerBound]) }
            rest = rest[found.upperBound...]
        }
        return rest.isEmpty ? parts : parts + [rest]
    }
}

extension StringProtocol {
    /// Whether the UTF-8 of a text occurs.
    @_disfavoredOverload
    public func contains(_ part: some StringProtocol) -> Bool { utf8.firstRange(of: part.utf8) != nil }
}

extension String {
    /// Replaces each occurrence of a part, which is not empty.
    @_disfavoredOverload
    public func replacing(_ part: some StringProtocol, with replacement: some StringProtocol) -> String {
        var text = ""
        var rest = self[...]
        while let found = rest.utf8.firstRange(of: part.utf8) {
            text += rest[..<found.lowerBound] + replacement
            rest = rest[found.upperBound...]
        }
        return text + rest
    }
}
