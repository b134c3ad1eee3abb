internal import DaemonHealth
internal import Library

extension LibraryCondition {
    /// What is at the library's path now; `opened` is the file that the daemon has open, nil if it is not known.
    init(at path: String, opened: LibraryFile?) {
        let present = LibraryFile(at: path)
        if let opened, present != opened {
            self = present == nil ? .removed(latestBackup: BackupFolder(beside: path).all().last) : .replaced
        } else {
            self = .inPlace
        }
    }
}
