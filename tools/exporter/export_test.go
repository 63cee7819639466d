package exporter

// CommunityColumns are the columns of a community that an export reads.
const CommunityColumns = communityColumns
