import { writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { table } from "./report.mts";
import { benchServer } from "./server.mts";

const rows = await benchServer({ long: process.argv.includes("--long") });
const page = `# Benchmarks

Made by \`npm run bench\` on Node.js ${process.versions.node} and ${os.cpus().length} cores. Every ratio is of one run: 32 connections, each server a
process of its own, warmed up, rounds that alternate, and the median of them. The yardstick is a bare \`node:http\`
server that answers the same bytes and does no work at all. Requests per second depend on the machine; compare ratios.

${table(rows)}
`;
writeFileSync(path.join(import.meta.dirname, "../../docs/benchmarks.md"), page);
console.log(table(rows));
