"""Forms in which secrets stand in what agents do; `<h32>` and the like are put together here, so that nothing leaks.

`<hN>` is N hexadecimal digits, `<aN>` letters and digits, `<uN>` capitals and digits, `<dN>` digits, `<w>` a password
that people choose. What is put there is another for every form, and is what must not be found again. `~` in a prefix
is nothing: it keeps scanners of this repository quiet.
"""

from __future__ import annotations

import hashlib
import re
import string

FORMS = r"""
ak~ia AK~IA<u16>
asia AS~IA<u16>
gh~p_<a36>
gh~o_<a36>
gh~s_<a36>
github~_pat_<a22>_<a59>
gl~pat-<a20>
gl~dt-<a20>
xo~xb-<d12>-<d12>-<a24>
xo~xp-<d12>-<d12>-<a32>
xa~pp-1-A0<u9>-<d12>-<h64>
np~m_<a36>
py~pi-AgEIcHlwaS5vcmc<a60>
s~k-<a48>
s~k-proj-<a64>
s~k-ant-api03-<a80>
AI~za<a35>
ya~29.<a60>
GOC~SPX-<a28>
s~k_live_<a24>
r~k_live_<a24>
wh~sec_<a32>
ey~JhbGciOiJIUzI1NiJ9.ey~J<a30>.<a43>
h~f_<a34>
S~G.<a22>.<a43>
<d9>:AA<a33>
d~api<h32>
gl~sa_<a32>_<h8>
gl~c_ey<a60>
gs~k_<a52>
d~p.pt.<a43>
d~p.st.prd.<a43>
sb~p_<h40>
nt~n_<d11><a35>
ps~cale_tkn_<a43>
ps~cale_pw_<a43>
key-<h32>
SK<h32>
do~p_v1_<h64>
do~o_v1_<h64>
sh~pat_<h32>
sh~pss_<h32>
li~n_api_<a40>
AGE-SECRET-KEY-1<u58>
dc~kr_pat_<a27>
ATA~TT3xFfGF0<a60>
xa~i-<a80>
r~8_<a37>
nv~api-<a64>
ts~key-auth-<a12>-<a32>
hv~s.<a90>
hv~b.<a90>
fi~gd_<a40>
pn~u_<a36>
ru~bygems_<h48>
pm~ak-<h24>-<h34>
NR~AK-<u27>
NR~JS-<h19>
dt~0c01.<u24>.<u64>
sq~0atp-<a22>
sq~0csp-<a43>
EA~AA<a60>
EA~ACEdEose0cBA<a60>
ft~r_<a40>
ci~o<a32>
cf~pat-<a43>
CFPAT-<a43>
v~1.0-<h24>-<h146>
rd~me_<a70>
sn~tryu_<h64>
sn~trys_<a60>_<a43>
po~s_<a43>
ph~c_<a43>
ph~x_<a43>
pa~t-na1-<h8>-<h4>-<h4>-<h4>-<h12>
pp~lx-<a48>
xk~eysib-<h64>-<a16>
re_<a8>_<a24>
wf~p_<a43>
cr~at_<a32>
HRKU-<h8>-<h4>-<h4>-<h4>-<h12>
fl~y_v1_<a43>
FlyV1 fm2_<a80>
ve~rcel_<a24>
nfp_<a40>
in~finisical_<a40>
st.<h8>.<h8>.<h32>
o~ps_ey<a80>
A3-<u6>-<u11>-<u5>-<u5>-<u5>
la~ngsmith lsv2_pt_<h32>_<h10>
tvly-<a32>
fc-<h32>
co_api_<a40>
aws_secret_access_key = <a40>
AWS_SECRET_ACCESS_KEY=<a40> aws s3 ls
export API_KEY=<a24>
export DB_PASSWORD='<w>'
PGPASSWORD=<w> psql -h db shop
PW=<w> ./deploy.sh
DB_PW=<w> ./deploy.sh
PIN_CODE=<d8> ./unlock
export PIN=<d8>
MYSQL_PWD=<w> mysql shop
SMTP_PASS=<w> ./mail
SECRET_KEY_BASE=<h64> rails s
ENCRYPTION_KEY=<h32> ./run
set -gx OPENAI_API_KEY <a40>
$env:API_TOKEN = "<a30>"
setx MY_SECRET <w>
declare -x REGISTRY_AUTH=<a40>
DATABASE_URL=postgres://bob:<w>@db.example.test:5432/shop
mongodb+srv://bob:<w>@cluster0.example.test/shop
redis://:<w>@cache.example.test:6379/0
amqp://bob:<w>@mq.example.test/vh
mysql://root:<w>@127.0.0.1/shop
Server=db;Database=shop;User Id=sa;Password=<w>;
DefaultEndpointsProtocol=https;AccountName=x;AccountKey=<a86>==;EndpointSuffix=core.windows.net
Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=<a43>=
jdbc:postgresql://db/shop?user=bob&password=<w>
host=db user=bob password=<w> dbname=shop
git clone https://bob:<w>@git.example.test/a.git
git clone https://<a40>@git.example.test/a.git
git remote set-url origin https://x-access-token:<a36>@github.com/a/b
curl ftp://bob:<w>@files.example.test/a
svn co --username bob --password <w> https://svn.example.test/a
https://<h32>@o12345.ingest.sentry.io/67
SENTRY_DSN=https://<h32>:<h32>@sentry.example.test/4
https://hooks.slack.com/services/T<u8>/B<u8>/<a24>
https://discord.com/api/webhooks/<d18>/<a68>
https://discordapp.com/api/webhooks/<d18>/<a68>
https://api.telegram.org/bot<d9>:AA<a33>/sendMessage
https://outlook.office.com/webhook/<h8>-<h4>-<h4>-<h4>-<h12>@<h8>-<h4>-<h4>-<h4>-<h12>/IncomingWebhook/<h32>/<h8>-<h4>-<h4>-<h4>-<h12>
https://hooks.zapier.com/hooks/catch/<d6>/<a7>x<a16>/
https://maker.ifttt.com/trigger/e/with/key/<a43>
https://mainnet.infura.io/v3/<h32>
https://eth-mainnet.g.alchemy.com/v2/<a32>
https://chat.googleapis.com/v1/spaces/AAAA/messages?key=<a39>&token=<a43>
https://b.s3.amazonaws.com/o?X-Amz-Credential=x&X-Amz-Signature=<h64>
https://b.s3.amazonaws.com/o?AWSAccessKeyId=x&Signature=<a27>%3D&Expires=1
https://storage.googleapis.com/b/o?X-Goog-Signature=<h128>
https://x.blob.core.windows.net/c/b?sv=2022-11-02&sig=<a43>%3D
https://example.test/cb?code=<a40>
https://example.test/?access_token=<a40>
https://example.test/?api_key=<a32>
https://example.test/reset?t=<a48>
https://example.test/invite/<a43>
curl -u bob:<w> https://example.test
curl -b session=<a32> https://example.test
curl --cookie "sid=<a32>; theme=dark" https://example.test
curl -H "Authorization: Bearer <a40>" https://example.test
curl -H "Authorization: Basic <a40>=" https://example.test
curl -H "Authorization: token <h40>" https://example.test
curl -H "X-Api-Key: <a32>" https://example.test
curl -H "X-Auth-Token: <a32>" https://example.test
curl -H "Cookie: sid=<a32>" https://example.test
curl -H "X-Vault-Token: <a26>" https://example.test
curl -H "apikey: <a40>" https://example.test
curl -H "X-Hub-Signature-256: sha256=<h64>" https://example.test
curl -d "grant_type=client_credentials&client_id=a&client_secret=<a40>" https://example.test
curl -d '{"password": "<w>"}' https://example.test
curl --data-urlencode "pin=<d8>" https://example.test
curl --oauth2-bearer <a40> https://example.test
curl --proxy-user bob:<w> https://example.test
curl --pass <w> --cert a.pem https://example.test
wget --password=<w> https://example.test
wget --header="Authorization: Bearer <a40>" https://example.test
http -a bob:<w> https://example.test
machine api.example.test login bob password <w>
echo "machine h login bob password <w>" >> ~/.netrc
vault login <a26>
vault kv put secret/app db=<w>
vault kv put secret/app value=<a30>
vault write auth/userpass/users/bob password=<w>
gh secret set NPM --body <a36>
gh secret set NPM -b "<a36>"
gh variable set X --body <a36>
kubectl create secret generic s --from-literal=db=<w>
kubectl create secret docker-registry r --docker-password=<w>
kubectl config set-credentials bob --token=<a60>
htpasswd -b users bob <w>
htpasswd -nb bob <w>
plink -pw <w> bob@host
pscp -pw <w> a bob@host:
msdeploy /p:Password=<w>
msbuild a.sln /p:SigningPin=<w>
net use z: \\host\share /user:bob <w>
openssl enc -aes-256-cbc -k <w> -in a -out b
openssl enc -aes-256-cbc -pass pass:<w> -in a
openssl enc -aes-256-cbc -K <h64> -iv 0 -in a
openssl pkcs12 -export -passout pass:<w> -in a
gpg --batch --passphrase <w> -c a
zip -P <w> a.zip a
unzip -P <w> a.zip
7z x -p<w> a.7z
mysql -uroot -p<w> shop
sshpass -p <w> ssh host
redis-cli -a <w> ping
mongosh -u bob -p <w> db
ldapsearch -D cn=x -w <w> -b dc=y
sqlcmd -S db -U sa -P <w>
smbclient //h/s -U bob%<w>
docker login -u bob -p <w> r.example.test
podman login --username bob --password <w> r.example.test
helm registry login r -u bob -p <w>
echo <w> | docker login -u bob --password-stdin
echo <w> | sudo -S ls
echo 'bob:<w>' | chpasswd
passwd --stdin bob <<< <w>
useradd -p <w> bob
expect -c 'send "<w>\r"'
aws configure set aws_secret_access_key <a40>
aws ssm put-parameter --name a --type SecureString --value <w>
aws secretsmanager create-secret --name a --secret-string <w>
az login --service-principal -u a -p <w> --tenant t
az keyvault secret set --vault-name v --name n --value <w>
gcloud sql users set-password bob --password=<w>
heroku config:set API_KEY=<a36>
fly secrets set DB=<w>
flyctl secrets set A=<a30>
wrangler secret put A <<< <a30>
vercel env add A production <<< <a30>
npm config set //npm.example.test/:_authToken <a36>
npm login --auth=<a40>
twine upload -u bob -p <w> dist/*
poetry config http-basic.x bob <w>
poetry config pypi-token.pypi <a60>
pip install -i https://bob:<w>@pypi.example.test/simple a
cargo login <a32>
terraform apply -var db_password=<w>
ansible-playbook a.yml -e ansible_become_pass=<w>
psql "host=db password=<w>"
psql -c "ALTER USER bob WITH PASSWORD '<w>'"
mysql -e "CREATE USER bob IDENTIFIED BY '<w>'"
nmcli dev wifi connect home password <w>
wpa_passphrase home <w>
cryptsetup luksOpen --key-file - /dev/x <<< <w>
keytool -storepass <w> -list
signtool sign /p <w> /f a.pfx a.exe
jarsigner -storepass <w> a.jar k
restic -r a --password-command "echo <w>" backup
rclone config create r sftp pass=<w>
sops --age AGE-SECRET-KEY-1<u58> a
password: <w>
the password is <w>
password <w>
Use password <w> to sign in
log in with user bob and password <w>
passphrase <w>
my api key is <a32>
use token <a32> for the API
the PIN is <d8>
{"api_key": "<a32>"}
{"auth": {"token": "<a32>"}}
{"name": "DB_PASSWORD", "value": "<w>"}
--token <a32>
["--password", "<w>"]
<password><w></password>
password => "<w>"
token := "<a32>"
.env has STRIPE_KEY=<a32>
-----BEGIN RSA PRIVATE ~KEY-----\n<a64>\n-----END RSA PRIVATE ~KEY-----
-----BEGIN OPENSSH PRIVATE ~KEY-----\n<a64>\n-----END OPENSSH PRIVATE ~KEY-----
-----BEGIN PGP PRIVATE ~KEY BLOCK-----\n\n<a64>\n-----END PGP PRIVATE ~KEY BLOCK-----
seed phrase: <m>
<m>
"""
# written after the repair that the forms above led to
LATER = r"""
sh~pua_<h32>
LT~AI<a20>
A~IPA<u16>
s~gp_<h16>_<h40>
AT~BB<a32>
BB~DC-<a44>
1~//0<a60>
access_~token$production$<h16>$<h32>
FLW~SECK_TEST-<h32>-X
amzn.~mws.<h8>-<h4>-<h4>-<h4>-<h12>
rzp_~live_<a14>
sdk-~<h8>-<h4>-<h4>-<h4>-<h12>
CLO~JARS_<h60>
oy~2<h43>
jdbc:oracle:thin:scott/<w>@//h:1521/x
_auth=<a24>
define('DB_PASSWORD', '<w>');
net user joe <w> /add
psk="<w>"
snowflake -p <w>
SNOWFLAKE_PASSWORD=<w> snowsql
az~ure_ad_client_secret=<a34>
<a8>~8Q~<a31>
git -c http.extraheader="AUTHORIZATION: basic <a60>" fetch
docker run -e POSTGRES_PASSWORD=<w> postgres
docker run --env=JWT_SECRET=<h64> app
docker build --build-arg NPM_TOKEN=<a36> .
kubectl create secret generic s --from-literal password=<w>
helm install x y --set auth.rootPassword=<w>
helm upgrade x y --set-string db.pw=<w>
terraform login; TF_TOKEN_app_terraform_io=<a14>.atlasv1.<a60>
<a14>.atlasv1.<a67>
CLOUDFLARE_API_TOKEN=<a40> wrangler deploy
doppler configure set token dp.ct.<a43>
pulumi config set --secret dbPassword <w>
pu~l-<h40>
ci~rcleci_token=<h40>
CCIPAT_<a22>_<h40>
bk~ua_<h40>
nf~p_<a40>
ne~on_api_<a64>
napi_<a60>
sb_secret_<a22>_<a8>
tu~rso db tokens ey~JhbGciOiJFZERTQSJ9.ey~J<a40>.<a86>
mailgun private key-<h32>
twilio api:core -u SK<h32> -p <a32>
https://api.twilio.com/2010-04-01/Accounts/AC<h32>.json -u AC<h32>:<h32>
https://<a20>:<w>@api.example.test/v1
postgres://app:<w>@/shop?host=/cloudsql/x
sqlserver://db:1433;databaseName=shop;user=sa;password=<w>
mssql+pyodbc://sa:<w>@db/shop
ldap_bind_pw: <w>
smtp://bob:<w>@mail.example.test:587
sftp://bob:<w>@files.example.test/
rsync --password-file=<(echo <w>) a rsync://h/a
lftp -u bob,<w> ftp.example.test
ncftpput -u bob -p <w> host / a
curl --user "bob:<w>" -T a ftp://h/
curl -H 'x-goog-api-key: AI~za<a35>' https://example.test
curl -H "Ocp-Apim-Subscription-Key: <h32>" https://example.test
curl -H "X-Shopify-Access-Token: sh~pat_<h32>" https://example.test
curl -H "X-Figma-Token: <h8>-<h8>-<a32>" https://example.test
curl 'https://example.test/rss?feed_token=<a20>'
https://calendar.google.com/calendar/ical/x/private-<h32>/basic.ics
https://hooks.example.test/services/<a24>
https://open.feishu.cn/open-apis/bot/v2/hook/<h8>-<h4>-<h4>-<h4>-<h12><a20>
https://webhook.site/<h8>-<h4>-<h4>-<h4>-<h12>
https://app.example.test/magic-link/<a48>
https://example.test/files/a.zip?Expires=1&Signature=<a60>&Key-Pair-Id=K2
ssh-keygen -f k -N <w>
ssh-keygen -p -P <w> -N <w> -f k
openssl rsa -in k -passin pass:<w>
java -Djavax.net.ssl.keyStorePassword=<w> -jar a.jar
mvn deploy -Dgpg.passphrase=<w>
gradle publish -PsigningPassword=<w>
bw unlock <w>
op signin --raw <<< <w>
pass insert -m a <<< <w>
secret-tool store --label=x a b <<< <w>
security add-generic-password -a bob -s x -w <w>
the passcode is <d8>
The admin password will be <w>
Login: bob / <w>
credentials: bob / <w>
my wifi password (<w>) changed
mnemonic=<m>
"""
# twelve words are prose, an account's number is no secret, and a process substitution is not looked into
KNOWN_LEAKS = (
    "<m>",
    # the number of an account, which is no secret
    "https://api.twilio.com/2010-04-01/Accounts/AC<h32>.json -u AC<h32>:<h32>",
    # among lines with a quote that is left open it is hidden with what is around it, and then not known elsewhere
    "my wifi password (<w>) changed",
)
# the first words of a list that wallets use, as many as a test needs
_WORDS = """
abandon ability able about above absent absorb abstract absurd abuse access accident account accuse achieve acid
acoustic acquire across act action actor actress actual adapt add addict address adjust admit adult advance advice
aerobic affair afford afraid again age agent agree ahead aim air airport aisle alarm album alcohol alert alien all
""".split()
_ALPHABETS = {
    "h": "0123456789abcdef",
    "a": string.ascii_letters + string.digits,
    "u": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
    "d": string.digits,
}
_LONG, _SHORT = 16, 8
_PLACE = re.compile(r"<(?:([haud])([0-9]+)|(w|m))>")


def made(forms: str = FORMS) -> list[tuple[str, str, list[str]]]:
    """Return of each form its line, the text with a secret of its own, and what of it must not be found."""
    found = []
    for number, form in enumerate(line for line in forms.splitlines() if line):
        needles: list[str] = []

        def put(match: re.Match[str], number: int = number, needles: list[str] = needles) -> str:
            secret = _secret(f"{number} {match.start()} {match[0]}", match[1] or match[3], int(match[2] or 0))
            if match[1] != "d" or match[2] == "8":  # others are identifiers
                needles.append(secret)
            return secret

        text = _PLACE.sub(put, form.replace("~", "").replace(r"\n", "\n"))
        long = [needle for needle in needles if len(needle) >= _LONG]  # beside them stand identifiers
        found.append((form, text, long or [needle for needle in needles if len(needle) >= _SHORT]))
    return found


def _secret(seed: str, kind: str, length: int) -> str:
    stream = b"".join(hashlib.sha256(f"{seed} {part}".encode()).digest() for part in range(6))
    if kind == "w":
        return "Kq" + stream.hex()[:6] + "-Rv" + str(stream[9] % 90 + 10)
    if kind == "m":
        return " ".join(_WORDS[byte % len(_WORDS)] for byte in stream[:12])
    letters = _ALPHABETS[kind]
    return "".join(letters[byte % len(letters)] for byte in stream[:length]).ljust(length, letters[7])
