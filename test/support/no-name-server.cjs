// Tests reach this machine alone. A name server that does not answer would hold each of them up for seconds.
const dns = require("node:dns");
const { isIP } = require("node:net");

const isLocal = (name) => name === "localhost" || name.endsWith(".localhost") || isIP(name) !== 0;
const absent = (hostname) =>
  Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), {
    errno: -3008,
    code: "ENOTFOUND",
    syscall: "getaddrinfo",
    hostname,
  });

// The module is one for all test files of a process.
if (!dns.lookup.isLocalAlone) {
  const { lookup } = dns;
  const lookupPromise = dns.promises.lookup;
  dns.lookup = (name, options, callback) => {
    const done = typeof options === "function" ? options : callback;
    if (isLocal(name)) lookup(name, options, callback);
    else process.nextTick(done, absent(name));
  };
  dns.lookup.isLocalAlone = true;
  dns.promises.lookup = async (name, options) => {
    if (isLocal(name)) return lookupPromise(name, options);
    throw absent(name);
  };
}
