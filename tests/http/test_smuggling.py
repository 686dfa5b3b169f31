"""Requests whose end is in doubt: none of them may have a second request hidden in it."""

import re
import unittest

from serving import DemoTest

HIDDEN = b"GET /hidden-request HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST /api/v1/query HTTP/1.1\r\nHost: localhost\r\n"
CHUNKED = b"0\r\n\r\n"

# Values of Transfer-Encoding that are not exactly "chunked".
CODINGS = [
    b"xchunked", b"identity", b"chunked, identity", b"identity, chunked", b"chunked, chunked", b"chunked,", b",chunked",
    b"gzip", b"gzip, chunked", b"chunked, gzip", b"deflate, chunked", b"compress", b"chunkedx", b"chunked;q=1",
    b"chunked; a=b", b"\"chunked\"", b"'chunked'", b"chunk", b"chunke", b"c hunked", b"chun ked", b"x, chunked",
    b"chunked x", b"chunked\tx", b"chunked=1", b"chunked/1", b"(chunked)", b"chunked()", b"", b" ", b",", b", ,",
    b"close", b"trailers", b"trailers, chunked", b"br", b"zstd, chunked", b"identity, identity", b"CHUNKED, identity",
    b"chunked\x80", b"\x80chunked", b"chunk\xe9d", b"0", b"5", b"none", b"null", b"x-chunked", b"chunked-x",
    b"chunked,\tchunked", b"identity;q=0.5, chunked",
]
# Lines that make a length doubtful, each with the body that follows.
LINES = [
    b"Content-Length: 5\r\nContent-Length: 6", b"Content-Length: 5\r\nContent-Length: 5", b"Content-Length: 5, 5",
    b"Content-Length: 5,6", b"Content-Length: +5", b"Content-Length: -5", b"Content-Length: -0", b"Content-Length: 0x5",
    b"Content-Length: 5 5", b"Content-Length: 5.0", b"Content-Length: 5e0", b"Content-Length: five", b"Content-Length: ",
    b"Content-Length: 99999999999999999999999", b"Content-Length: 18446744073709551621", b"Content-Length: 5;",
    b"Content-Length: \"5\"", b"Content-Length: 5\x00", b"Content-Length: 5\x0b", b"Content-Length: \xd9\xa5",
    b"Content-Length : 5", b"Content-Length\t: 5", b"Content_Length: 5", b"Content Length: 5", b"Content.Length: 5",
    b"\x0bContent-Length: 5", b"Content-Length\x00: 5", b": 5", b"Content-Length",
    b"Content-Length: 5\r\nTransfer-Encoding: chunked", b"Transfer-Encoding: chunked\r\nContent-Length: 5",
    b"Transfer-Encoding: chunked\r\nContent-Length: 0", b"Transfer-Encoding: identity\r\nContent-Length: 5",
    b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
    b"Transfer-Encoding: identity\r\nTransfer-Encoding: chunked", b"Transfer-Encoding: chunked\r\ntransfer-encoding: x",
    b"Transfer-Encoding : chunked", b"Transfer-Encoding\t: chunked", b"Transfer_Encoding: chunked",
    b"Transfer Encoding: chunked", b"Transfer.Encoding: chunked", b"TransferEncoding: chunked",
    b"Transfer-Encoding\x00: chunked", b"Transfer-Encoding: chun\x00ked", b"Transfer-Encoding: \x0bchunked",
    b"Transfer-Encoding:\x0cchunked", b"\x01Transfer-Encoding: chunked", b"Transfer-Encoding: chunked\x7f",
    b"X: y\nTransfer-Encoding: chunked", b"X: y\rTransfer-Encoding: chunked", b"X: y\r\r\nTransfer-Encoding: chunked",
    b"Transfer-Encoding: chunked\nX: y",
]
# Bodies in chunks that are not what they say.
BODIES = [
    b"5\r\nCDEFGH\r\n0\r\n\r\n", b"5\r\nCDEF\r\n0\r\n\r\n", b"x\r\nCDE\r\n0\r\n\r\n", b"-1\r\nCDE\r\n0\r\n\r\n",
    b"+3\r\nCDE\r\n0\r\n\r\n", b"0x3\r\nCDE\r\n0\r\n\r\n", b"3\nCDE\n0\n\n", b"3\rCDE\r0\r\r", b"\r\nCDE\r\n0\r\n\r\n",
    b"10000000000000003\r\nCDE\r\n0\r\n\r\n", b"fffffffffffffffff\r\nCDE\r\n0\r\n\r\n", b"3\r\nCDE0\r\n\r\n",
    b"3\r\nCDE\n0\r\n\r\n", b"3\x00\r\nCDE\r\n0\r\n\r\n", b"3,3\r\nCDE\r\n0\r\n\r\n", b"3.0\r\nCDE\r\n0\r\n\r\n",
]


class Smuggling(DemoTest):
    def told(self, data):
        answer = self.server.raw(data)
        return answer, re.findall(rb"HTTP/1\.[01] (\d\d\d) ", answer)

    def refused(self, data):
        answer, statuses = self.told(data)
        self.assertNotIn(b"hidden-request", answer, data)
        self.assertEqual(len(statuses), 1, (data, answer[:300]))
        self.assertIn(statuses[0], [b"400", b"413"], (data, answer[:300]))
        self.assertIn(b"connection: close", answer.lower(), data)

    def test_there_are_a_hundred_forms(self):
        self.assertGreaterEqual(len(set(CODINGS)) + len(set(LINES)) + len(set(BODIES)), 100)

    def test_unknown_and_repeated_codings_are_refused(self):
        for coding in CODINGS:
            self.refused(POST + b"Transfer-Encoding: " + coding + b"\r\n\r\n" + CHUNKED + HIDDEN)

    def test_doubtful_lengths_are_refused(self):
        for line in LINES:
            self.refused(POST + line + b"\r\n\r\n" + CHUNKED + HIDDEN)

    def test_malformed_chunks_are_refused(self):
        for body in BODIES:
            self.refused(POST + b"Transfer-Encoding: chunked\r\n\r\n" + body + HIDDEN)

    def test_resources_without_a_body_are_no_way_in(self):
        for line in [b"Transfer-Encoding: identity", b"Content-Length: 50", b"Transfer-Encoding: xchunked"]:
            self.refused(b"GET /health HTTP/1.1\r\nHost: localhost\r\n" + line + b"\r\n\r\n" + HIDDEN)

    def test_old_clients_have_no_codings(self):
        self.refused(b"POST /api/v1/query HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + CHUNKED + HIDDEN)

    def test_clear_ends_are_taken(self):
        last = b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        for headers, body in [(b"Content-Length: 5", b"CDEFG"), (b"content-length:5", b"CDEFG"),
                              (b"Content-Length:  5 ", b"CDEFG"), (b"Content-Length: 005", b"CDEFG"),
                              (b"Transfer-Encoding: chunked", b"5\r\nCDEFG\r\n0\r\n\r\n"),
                              (b"transfer-encoding:CHUNKED ", b"3\r\nCDE\r\n2;a=b\r\nFG\r\n0\r\nX: y\r\n\r\n")]:
            answer, statuses = self.told(POST + headers + b"\r\n\r\n" + body + last)
            self.assertEqual(statuses, [b"200", b"200"], (headers, answer[:300]))


if __name__ == "__main__":
    unittest.main()
