// A real OpenID Connect provider for tests: node provider.mjs PORT CLIENT_ID CLIENT_SECRET CALLBACK.
// Its own development forms ask for login and consent; whoever logs in as NAME is NAME@example.org,
// verified unless NAME begins with "unverified".
import Provider from 'oidc-provider';

const [port, id, secret, callback] = process.argv.slice(2);

const claimsOf = (name) => ({
    sub: name,
    email: `${name}@example.org`,
    email_verified: !name.startsWith('unverified'),
    name: `${name} of the provider`,
});

const provider = new Provider(`http://127.0.0.1:${port}`, {
    clients: [{client_id: id, client_secret: secret, redirect_uris: [callback]}],
    claims: {openid: ['sub'], email: ['email', 'email_verified'], profile: ['name']},
    findAccount: (_, name) => ({accountId: name, claims: () => claimsOf(name)}),
    cookies: {keys: ['only for tests']},
    pkce: {required: () => true},
});
provider.listen(Number(port), '127.0.0.1');
