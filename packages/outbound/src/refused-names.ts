// Data: names that never name a receiver. A name is refused when it equals an entry or ends with a dot and the entry; nothing here is resolved.

/** IANA Special-Use Domain Names; `arpa` as a whole stands for its many special rows. */
export const specialUseNames: readonly string[] = [
  'alt',
  'arpa',
  'example',
  'example.com',
  'example.net',
  'example.org',
  'invalid',
  'local',
  'localhost',
  'onion',
  'test',
]

/** Names of private networks, clusters and metadata services. */
export const internalNames: readonly string[] = [
  'internal',
  'intranet',
  'corp',
  'home',
  'lan',
  'mail',
  'private',
  'localdomain',
  'workgroup',
  'svc',
  'cluster',
  'consul',
  'kubernetes',
  'nomad',
  'mshome.net',
  'localtest.me',
  'lvh.me',
  'vcap.me',
  'metadata.azure.com',
  'metadata.tencentyun.com',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'metadata.goog',
  'instance-data.ec2.amazonaws.com',
]

/** Well-known service ports that no configuration can open (security.md 1.1.3). */
export const refusedPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 138, 139, 143, 161, 162, 179, 389, 427, 445, 465, 512, 513, 514, 515, 526,
  530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 623, 636, 873, 989, 990, 993, 995, 1080, 1433, 1521, 1719, 1720,
  1723, 2049, 2181, 2375, 2376, 2379, 2380, 3128, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5671, 5672, 5900,
  5984, 5985, 5986, 6000, 6379, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6697, 8500, 9042, 9092, 9200, 9300, 10250,
  10255, 11211, 15672, 26379, 27017, 50070,
])
