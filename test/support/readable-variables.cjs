// Tests read the values of variables back, which nobody can of sensitive ones. Those of the default type undo this.
process.env.SLIPWAY_DEFAULT_VARIABLE_TYPE = "encrypted";
