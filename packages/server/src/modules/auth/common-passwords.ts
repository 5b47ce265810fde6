/** The most common passwords of eight characters and more, including words of our region. */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
    00000000 11111111 11223344 112233445566 12121212 123123123 12341234 12345678 123456789 1234567890 123456qwerty 1234qwer
    123qweasd 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 87654321 8888888888 987654321 9876543210 9999999999 a1b2c3d4 abc12345 abc123456
    abcabcabc abcd1234 abcdefgh admin123 admin1234 admin@123 administrator administrator1 amit1234 ankit123 asd12345 asdf1234
    asdfasdf bangalore baseball baseball1 basketball batman123 bharat123 blessed1 bulksms1 bulksms123 business1 carillon
    carillon1 carillon123 changeme changeme1 changeme123 charlie1 company1 company123 computer computer1 cricket1 cricket123
    customer1 december1 deepak123 default1 default123 delhi123 dhoni007 diwali2024 diwali2025 diwali2026 dragon123 facebook
    facebook1 football football1 forever1 freedom1 friday123 ganapati ganesh123 goodluck goodmorning google123 guest123
    hello123 hello1234 helloworld hyderabad ilovegod iloveyou iloveyou1 iloveyou2 india123 india@123 internet internet1
    jaihind1 jaimatadi jaishriram january1 jennifer jessica1 krishna1 krishna123 lakshmi1 lakshmi123 letmein1 letmein123
    lovelove loveyou1 mahesh123 manager1 manager123 manish123 marketing master123 messages1 messaging michael1 mobile123
    monday123 monkey123 mumbai123 mylove123 nothing1 omnamahshivaya p@ssw0rd p@ssword pass1234 pass@123 pass@1234 passw0rd
    password password! password1 password12 password123 password2024 password2025 password2026 password@1 password@123 pooja123 princess
    princess1 priya123 pune12345 q1w2e3r4 qazwsx123 qazwsxedc qwerty12 qwerty123 qwerty1234 qwerty12345 qwertyui rahul123
    rajesh123 ramesh123 reseller1 reseller123 rohit123 sachin10 sachin123 sairam123 sales123 samsung1 samsung123 sandeep1
    saraswati secret123 secret1234 shadow123 shivaji1 sms12345 smsadmin spiderman starwars success1 success123 summer2024
    summer2025 summer2026 sunshine sunshine1 superman superman1 support1 support123 suresh123 temp1234 temporary test1234
    testing1 testing123 testtest topsecret trustno1 user1234 username username1 virat123 welcome1 welcome12 welcome123
    welcome2024 welcome2025 welcome2026 welcome@123 whatever whatsapp whatsapp1 winter2024 winter2025 winter2026 xxxxxxxx zaq12wsx
    zxcvbnm1
  `
    .split(/\s+/)
    .filter(Boolean),
)
