"""Talks to podcast-mcp with the official SDK. Usage: mcp_story.py MODE PROGRAM ARGUMENT...

MODE is the protocol: legacy (with a handshake) or auto (the newest). Prints one JSON object of what it found.
"""
import asyncio
import json
import sys

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main(mode, program, arguments):
    found = {}
    server = stdio_client(StdioServerParameters(command=program, args=arguments))
    async with Client(server, mode=mode) as client:
        found["version"] = client.protocol_version
        tools, cursor, pages = [], None, 0
        while True:
            page = await client.list_tools(cursor=cursor)
            tools += page.tools
            pages += 1
            cursor = page.next_cursor
            if not cursor:
                break
        found["pages"] = pages
        found["tools"] = {tool.name: tool.annotations.read_only_hint for tool in tools}
        found["results"] = {}
        for tool in tools:
            needed = tool.input_schema.get("required", [])
            if needed or not tool.annotations.read_only_hint:
                continue
            result = await client.call_tool(tool.name, {})
            found["results"][tool.name] = not result.is_error
        result = await client.call_tool("episodes_show", {"episode": "Beta talk"})
        found["episode"] = json.loads(result.content[-1].text)["title"]
        result = await client.call_tool("episodes_show", {"episode": "no such episode"})
        found["failure"] = [result.is_error, result.content[0].text]
        if "queue_add" in found["tools"]:
            result = await client.call_tool("queue_add", {"what": ["Beta talk"]})
            found["added"] = json.loads(result.content[-1].text)["length"]
    print(json.dumps(found))


asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
