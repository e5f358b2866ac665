const { setFlagsFromString } = require("node:v8");

// Pulumi's SDK sets this flag half-way through its start. Code that was compiled under other flags is thrown away,
// so without the flag from the first moment on each process compiles again what the one before it has kept.
setFlagsFromString("--allow-natives-syntax");
