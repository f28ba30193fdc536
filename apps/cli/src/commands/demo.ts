export async function demo(_context: unknown): Promise<undefined> {}
