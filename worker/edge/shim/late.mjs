/** LATE is the message of the error of an event that Go did not answer in time. An error keeps no more on its way to another worker. */
export const LATE = "Go did not finish in time";
