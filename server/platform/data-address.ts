/** Whether `--data` begins like the address of a PostgreSQL database, also a mistyped one: it may have a password. */
export const resemblesPostgres = (data: string): boolean => /^postgres(ql)?:/i.test(data);
