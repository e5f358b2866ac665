import { refuseForeignHost } from "../../../server/http/hosts";

const allowed = ["slipway.internal"];

describe("a host name", () => {
  it.each([
    "evilslipway.internal",
    "sub.slipway.internal",
    "slipway.internal.example.com",
    "internal",
    "notlocalhost",
    "localhost.example.com",
    "127.0.0.1.example.com",
    "",
  ])("is refused unless it is exactly one that is allowed: %j", (host) => {
    expect(() => refuseForeignHost(host, allowed)).toThrow(/--allowed-hosts/);
  });

  it.each([
    "slipway.internal",
    "SLIPWAY.internal",
    "slipway.internal:4000",
    "localhost",
    "127.0.0.1:1",
    "[::1]:80",
  ])("is accepted without its port and in any case: %s", (host) => {
    expect(() => refuseForeignHost(host, allowed)).not.toThrow();
  });
});
