// What the services bill, in dollars, and where that is written. `date` is that of the copy of the page that was read.

export const SOURCES = [
  { service: "Cloudflare Workers", url: "https://developers.cloudflare.com/workers/platform/pricing/", date: "2026-08-03",
    says: "$5 a month with 10 million requests and 30 million ms of CPU, then $0.30 and $0.02 a million. Free: 100,000 requests a day, 10 ms of CPU for each" },
  { service: "Cloudflare Queues", url: "https://developers.cloudflare.com/queues/platform/pricing/", date: "2026-06-13",
    says: "a message is three operations; 1 million a month are included, then $0.40 a million. Free: 10,000 operations a day" },
  { service: "Cloudflare R2", url: "https://developers.cloudflare.com/r2/pricing/", date: "2026-06-13",
    says: "1 million operations of class A and 10 million of class B a month are free, then $4.50 and $0.36 a million; no charge for traffic" },
  { service: "Turso", url: "https://turso.tech/pricing", date: "2026-06-12",
    says: "Developer: $4.99 a month with 2.5 billion rows read and 25 million written, then $1 a billion and $1 a million. Free: 500 million read and 10 million written a month" },
  { service: "Upstash Redis", url: "https://upstash.com/pricing/redis", date: "2026-11-09",
    says: "$0.20 for 100,000 commands. Free: 500,000 commands a month" },
];

/**
 * RESOURCES are what is billed by use: the price of a million, how many a paid plan includes a month, and how many a free plan has a day or a
 * month.
 */
export const RESOURCES = {
  requests: { name: "requests to the worker", service: "Workers", million: 0.30, included: 10e6, free: 100_000 * 30, limit: "100,000 a day" },
  cpu: { name: "ms of CPU", service: "Workers", million: 0.02, included: 30e6 },
  operations: { name: "queue operations", service: "Queues", million: 0.40, included: 1e6, free: 10_000 * 30, limit: "10,000 a day" },
  read: { name: "rows read", service: "Turso", million: 0.001, included: 2.5e9, free: 500e6, limit: "500 million a month" },
  written: { name: "rows written", service: "Turso", million: 1, included: 25e6, free: 10e6, limit: "10 million a month" },
  commands: { name: "Redis commands", service: "Upstash", million: 2, included: 0, free: 500_000, limit: "500,000 a month" },
  puts: { name: "operations of class A", service: "R2", million: 4.50, included: 1e6, free: 1e6, limit: "1 million a month" },
  gets: { name: "operations of class B", service: "R2", million: 0.36, included: 10e6, free: 10e6, limit: "10 million a month" },
};

/** FEES are those of the paid plans, a month. */
export const FEES = { Workers: 5, Turso: 4.99 };

/** FREE_CPU is how many ms of CPU a request may take on the free plan. */
export const FREE_CPU = 10;
