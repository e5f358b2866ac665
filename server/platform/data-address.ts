/** Whether `--data` is the address of a PostgreSQL database, which may have a password. */
export const isPostgres = (data: string): boolean => /^postgres(ql)?:\/\//i.test(data);
