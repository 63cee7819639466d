package wiki

// MayCreate is the condition of an entry in the log, for tests of query plans.
const MayCreate = mayCreate

// LogEdited and LogDeleted are statements that a function assembles, for tests of query plans.
var LogEdited, LogDeleted = logEdited, logDeleted
