internal import ControlLanguage

/// Answers the commands of a section. It has only the parts of the daemon that it needs.
protocol SectionHandler: Sendable {
    var answers: [AnsweredCommand] { get }
}
