internal import Library
internal import LibraryUpkeep

extension LibraryCondition {
    /// - Parameter opened: the file that the daemon has open; nil if unknown.
    init(at path: String, opened: LibraryFile?) {
        let present = LibraryFile(at: path)
        if let opened, present != opened {
            self = present == nil ? .removed(latestBackup: BackupFolder(beside: path).all().last) : .replaced
        } else {
            self = .inPlace
        }
    }
}
