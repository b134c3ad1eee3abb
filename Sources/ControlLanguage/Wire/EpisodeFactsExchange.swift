public import PodcastModel

/// Carries the members that lists of episodes show to the wire, from the wire, or into the manual.
extension MemberExchange: MemberVisitor {
    public mutating func visit(_ member: PublishedMember, _ text: inout String?) { declare(member, &text) }
    public mutating func visit(_ member: PublishedMember, _ number: inout Int64?) { declare(member, &number) }
    public mutating func visit(_ member: PublishedMember, _ flag: inout Bool?) { declare(member, &flag) }
    public mutating func visit(_ member: PublishedMember, _ time: inout MediaTime?) { declare(member, &time) }
    public mutating func visit(_ member: PublishedMember, _ date: inout Timestamp?) { declare(member, &date) }

    private mutating func declare<Value: WireScalar>(_ member: PublishedMember, _ value: inout Value?) {
        if let help = member.help { declare(member.name.description, &value, help.description) }
    }
}
