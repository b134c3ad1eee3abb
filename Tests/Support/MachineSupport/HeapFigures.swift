internal import CLinux
internal import Glibc
public import SystemCalls

extension ProcessFigures {
    /// Bytes that the process has allocated and not freed: mallinfo2(3).
    public static var allocatedBytes: Int {
        let info = mallinfo2()
        return Int(info.uordblks + info.hblkhd)
    }
}
