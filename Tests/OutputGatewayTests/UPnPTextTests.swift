@testable import OutputGateway
import GatewayKit
import PodcastModel
import TestSupport
import Testing

@Suite struct UPnPTextTests {
    private func answer(_ location: String) -> [UInt8] {
        Array("HTTP/1.1 200 OK\r\nCACHE-CONTROL: max-age=1800\r\nLocation: \(location)\r\nST: x\r\n\r\n".utf8)
    }

    @Test func aDescriptionMustBeOnTheHostThatAnswered() {
        let url = "http://192.0.2.7:49152/description.xml"
        expectEqual(UPnPSearch.location(in: answer(url), from: "192.0.2.7"), url)
        expectEqual(UPnPSearch.location(in: answer(url), from: "192.0.2.8"), nil)
        expectEqual(UPnPSearch.location(in: answer("file:///etc/passwd"), from: "192.0.2.7"), nil)
        expectEqual(UPnPSearch.location(in: answer("http://192.0.2.7@evil.example/"), from: "192.0.2.7"), nil)
        expectEqual(UPnPSearch.location(in: [0xFF, 0x00, 13, 10], from: "192.0.2.7"), nil)
    }

    private func document(_ name: String = "Living\u{1B}[31m Room", control: String = "/control/transport") -> [UInt8] {
        Array(
            """
            <?xml version="1.0"?><root xmlns="urn:schemas-upnp-org:device-1-0"><device>
            <deviceType>urn:schemas-upnp-org:device:MediaRenderer:1</deviceType>
            <friendlyName>\(name)</friendlyName><UDN>uuid:1234</UDN><serviceList>
            <service><serviceType>urn:schemas-upnp-org:service:AVTransport:1</serviceType>
            <controlURL>\(control)</controlURL><eventSubURL>/event/transport</eventSubURL></service>
            <service><serviceType>urn:schemas-upnp-org:service:RenderingControl:1</serviceType>
            <eventSubURL>/event/rendering</eventSubURL><controlURL>control/rendering</controlURL></service>
            </serviceList></device></root>
            """.utf8)
    }

    private func description(_ document: [UInt8]) -> UPnPDescription? {
        UPnPDescription(document, at: "http://192.0.2.7:49152/d/description.xml", local: "192.0.2.1")
    }

    @Test func aDescriptionNamesTheServicesOfARenderer() throws {
        let device = try #require(description(document()))
        expectEqual(device.name, "Living[31m Room")
        expectEqual(device.transport.control, "http://192.0.2.7:49152/control/transport")
        expectEqual(device.transport.events, "http://192.0.2.7:49152/event/transport")
        expectEqual(device.rendering.control, "http://192.0.2.7:49152/d/control/rendering")
        #expect(device.matches("living[31M room") && device.matches("UUID:1234") && !device.matches("Living"))
    }

    @Test func aDescriptionWithServicesElsewhereOrWithoutThemIsRefused() {
        expectEqual(description(document(control: "http://192.0.2.9/control")), nil)
        expectEqual(description(Array("<root><device><UDN>uuid:1</UDN></device></root>".utf8)), nil)
        expectEqual(description(Array("<root><device><friendlyName>".utf8)), nil)
        expectEqual(description(Array(repeating: 0, count: 1000)), nil)
    }

    @Test func textsOfPublishersCannotEndTheirElements() {
        var item = RemoteItem(
            url: "http://192.0.2.1/a?b&c", type: "audio/mpeg", title: "A <b> & \"c\"\u{7}", show: "S", cover: nil)
        item.duration = MediaTime(seconds: 3725)
        let metadata = UPnPMessages.metadata(item)
        expectContains(metadata, "<dc:title>A &lt;b&gt; &amp; &quot;c&quot;</dc:title>")
        expectContains(metadata, "duration=\"1:02:05.000\"")
        let action = UPnPMessages.action(
            "SetAVTransportURI", of: "urn:schemas-upnp-org:service:AVTransport:1", ["CurrentURIMetaData": metadata])
        let leaves = XMLLeaves(Array(action.utf8))
        expectEqual(leaves["CurrentURIMetaData"], metadata)
        expectEqual(leaves["InstanceID"], "0")
    }

    @Test func timesAreReadAsRenderersWriteThem() {
        expectEqual(UPnPMessages.time("0:01:02"), MediaTime(seconds: 62))
        expectEqual(UPnPMessages.time("10:00:00.500"), MediaTime(seconds: 36_000.5))
        for wrong in ["NOT_IMPLEMENTED", "", "1:2", "0:99:00", "0:00:-1", "99999999:00:00"] {
            expectEqual(UPnPMessages.time(wrong) as MediaTime?, nil)
        }
        expectEqual(UPnPMessages.time(MediaTime(seconds: 3661.9)), "1:01:01")
    }

    @Test(
        arguments: [
            (nil, 0..<100), ("bytes=0-", 0..<100), ("bytes=10-19", 10..<20), ("bytes=90-200", 90..<100),
            ("bytes=-5", 95..<100), ("bytes=-500", 0..<100), ("bytes=100-", 0..<0), ("bytes=5-2", 0..<100),
            ("bytes=0-1,5-6", 0..<100), ("items=0-1", 0..<100), ("bytes=-", 0..<100), ("bytes=+1-2", 0..<100),
        ] as [(String?, Range<Int64>)])
    func rangesAreReadAsRFC9110WritesThem(_ field: String?, _ bytes: Range<Int64>) {
        expectEqual(WantedBytes(field).bytes(of: 100), bytes)
    }
}
