/** LATE is the message of the error of an event that Go did not finish in time. Between workers, an error keeps only its message. */
export const LATE = "Go did not finish in time";
