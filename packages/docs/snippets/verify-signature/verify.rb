# Ruby 3.0 or later. secret: as shown, whsec_ included. header: X-Service-Signature. body: the raw bytes.
require 'openssl'

FORM = /\At=(0|[1-9][0-9]{0,9})((?:,v1=[0-9a-f]{64}){1,32})\z/

def verify(secret, header, body, now = Time.now.to_i)
  parts = FORM.match(header.to_s.b)
  return false if parts.nil? || (now - parts[1].to_i).abs > 300

  expected = OpenSSL::HMAC.hexdigest('SHA256', secret, "#{parts[1]}.".b + body.b)
  parts[2].split(',v1=').drop(1).any? { |given| OpenSSL.fixed_length_secure_compare(given, expected) }
end
