package wiki

// MayCreate is the guard of an entry in the log, for tests that explain it.
const MayCreate = mayCreate

// LogEdited and LogDeleted are statements that a function puts together, for tests that explain them.
var LogEdited, LogDeleted = logEdited, logDeleted
