/** The keys of a campaign in the order in which people read them. */
export const ORDER = [
  "name",
  "description",
  "base",
  "experiment",
  "factors",
  "zip",
  "exclude",
  "search",
  "question",
  "replicates",
  "replicates_where",
  "seed",
  "paper",
];
