internal import HTTP
internal import PodcastModel

/// The addresses that the library does not store as they are, with those that it stores; an empty one if it stores none.
func rewrittenAddresses(_ urls: [String]) -> [(String, String)] {
    urls.compactMap { url in
        let stored = WebAddress.isFetchable(url) ? HTTPURL.withoutCredentials(url) : ""
        return stored == url ? nil : (url, stored)
    }
}
