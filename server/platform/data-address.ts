/** True if `--data` begins like the address of a PostgreSQL database. Even a mistyped address may have a password. */
export const resemblesPostgres = (data: string): boolean => /^postgres(ql)?:/i.test(data);
