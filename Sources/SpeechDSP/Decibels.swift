internal import Glibc

/// Levels relative to full scale.
enum Decibels {
    static func power(_ decibels: Double) -> Float { Float(pow(10, decibels / 10)) }
    static func amplitude(_ decibels: Double) -> Float { Float(pow(10, decibels / 20)) }
}
