import { banner } from "../../../server/ops/banner";

it.each([
  [
    "postgres://ada:secret@db.example.com:5433/slipway?sslmode=require",
    "postgres://db.example.com:5433/slipway",
  ],
  ["postgresql://ada:secret@/slipway?host=/run/postgresql", "postgresql:///slipway"],
  ["/var/lib/slipway", "/var/lib/slipway"],
  ["memory", "memory"],
])("the text at the start shows the data at %s without a password", (data, shown) => {
  const text = banner({ url: "http://127.0.0.1:4000", data, development: undefined });
  expect(text).toContain(`  data       ${shown}\n`);
  expect(text).not.toContain("secret");
});
