// Cannot be imported.

throw new Error('the database is not there\nand more')

export {}
