/// The screens that were opened, one above the other. A screen is made when it is first shown and keeps its state while
/// others are above it.
struct ScreenStack<Name: Hashable, Screen> {
    private var made: [(name: Name, screen: Screen)]

    init(_ name: Name, _ make: (Name) -> Screen) { made = [(name, make(name))] }

    var top: Screen {
        get { made[made.count - 1].screen }
        set { made[made.count - 1].screen = newValue }
    }
    /// The screen below the top screen; nil if there is only one.
    var below: Screen? { made.count > 1 ? made[made.count - 2].screen : nil }
    var depth: Int { made.count }
    /// From the bottom.
    var screens: [Screen] { made.map(\.screen) }
    /// From the bottom.
    var names: [Name] { made.map(\.name) }

    /// Shows a screen above the others. A screen that is open already is shown as it was, and the screens above it are closed.
    mutating func push(_ name: Name, _ make: (Name) -> Screen) {
        if let index = made.firstIndex(where: { $0.name == name }) {
            made.removeSubrange((index + 1)...)
        } else {
            made.append((name, make(name)))
        }
    }

    /// Closes a screen at any place; the last screen stays.
    mutating func remove(_ name: Name) {
        if made.count > 1 { made.removeAll { $0.name == name } }
    }

    /// Shows the screen below.
    ///
    /// - Returns: false if there is none.
    mutating func pop() -> Bool {
        guard made.count > 1 else { return false }
        made.removeLast()
        return true
    }
}
