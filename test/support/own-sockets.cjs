// Node.js has one module of sockets for all test files of a process: interceptors that a file leaves would hold up the
// connections of the next one.
const { Socket } = require("node:net");

const key = Symbol.for("slipway.connect");
Socket[key] ??= Socket.prototype.connect;
if (Socket.prototype.connect !== Socket[key])
  throw new Error(
    "An earlier test file of this process left its interceptors. Let it call nock.restore() at its end.",
  );
