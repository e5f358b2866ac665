import { serveOptions } from "../../server/options";

const { filesLimit, port, allowedHosts } = serveOptions;
type Parse = (text: string) => unknown;

it.each<[string, string, Parse, unknown]>([
  ["a size", "0", filesLimit.parse, 0],
  ["a size", "512", filesLimit.parse, 512],
  ["a size", "2kb", filesLimit.parse, 2e3],
  ["a size", "1.5 MB", filesLimit.parse, 1.5e6],
  ["a size", "10GB", filesLimit.parse, 10e9],
  ["a size", " 1tb ", filesLimit.parse, 1e12],
  ["a port", "0", port.parse, 0],
  ["a port", "65535", port.parse, 65_535],
  ["host names", "a.example.com, b_c,::1", allowedHosts.parse, ["a.example.com", "b_c", "::1"]],
])("%s of %j is accepted", (_, text, parse, value) => {
  expect(parse(text)).toEqual(value);
});

it.each<[string, string, Parse]>([
  ["a size", "-1", filesLimit.parse],
  ["a size", "5 EB", filesLimit.parse],
  ["a size", "GB", filesLimit.parse],
  ["a port", "65536", port.parse],
  ["a port", "-1", port.parse],
  ["a port", "80.5", port.parse],
  ["host names", "a..b", allowedHosts.parse],
  ["host names", "a.example.com/path", allowedHosts.parse],
])("%s of %j is refused with a hint", (_, text, parse) => {
  expect(() => parse(text)).toThrow(/^(Give|.* is not a host name\. Give)/);
});
