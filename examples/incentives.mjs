// A voucher for somebody, on a survey platform in this process.

import { ApiError, Sandbox } from 'sondage';

const box = await Sandbox.demo();
const client = box.client();

// The credits, and the incentives that they can buy.
console.log('credits:', (await client.readCreditBalance()).balance);
const { panelIncentives: offers } = await client.readIncentiveList();
for (const { name, priceInCredits, availableVouchersCount } of offers) {
  console.log(`${name}: ${priceInCredits} credits, ${availableVouchersCount} left`);
}

// Buy one voucher. The code is worth money: keep it out of logs.
const { voucherCode } = await client.redeemIncentiveCode({ incentiveId: offers[0].id });
console.log(voucherCode ? 'a voucher was bought' : 'no voucher came');
console.log('credits:', (await client.readCreditBalance()).balance);

// The transactions: credits earned and spent.
const booked = (await client.readIncentiveTransactionList()).incentiveTransactions.at(-1);
console.log(booked?.description, booked?.oldValue, '->', booked?.newValue);

// An incentive that is too expensive is refused, and nothing is spent.
try {
  await client.redeemIncentiveCode({ incentiveId: offers[2].id });
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.log(error.errorCode);
}
box.stop();
