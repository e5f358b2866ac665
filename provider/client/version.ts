/** The version of the package, for requests; a test keeps it equal to package.json. */
export const version = "0.1.0";
