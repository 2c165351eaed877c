# Judges each line `name|secret|header|body|now` (header and body in base64) and says `name accepted` or `name refused`.
require_relative 'verify'

$stdin.each_line(chomp: true) do |line|
  name, secret, header, body, now = line.split('|', -1)
  accepted = verify(secret, header.unpack1('m'), body.unpack1('m'), now.to_i)
  puts "#{name} #{accepted ? 'accepted' : 'refused'}"
end
