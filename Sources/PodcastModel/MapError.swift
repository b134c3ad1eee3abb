/// The value of an expression; an error that it throws becomes another one.
@inlinable
public func mapError<Value: ~Copyable, Failure: Error, Other: Error>(
    of value: @autoclosure () throws(Failure) -> Value, _ transform: (Failure) -> Other
) throws(Other) -> Value {
    do throws(Failure) {
        return try value()
    } catch {
        throw transform(error)
    }
}
