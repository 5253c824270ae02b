"""A voucher for somebody, on a survey platform in this process."""

import sondage

with sondage.Sandbox.demo() as box:
    client = box.client()

    # What there is to spend, and on what.
    balance = client.read_credit_balance().balance
    print("credits:", balance)
    offers = client.read_incentive_list().panel_incentives
    for offer in offers:
        print(f"{offer.name}: {offer.price_in_credits} credits, {offer.available_vouchers_count} left")

    # One voucher. Printing the answer does not print its code.
    redeemed = client.redeem_incentive_code(incentive_id=offers[0].id)
    print(redeemed)
    print("credits:", client.read_credit_balance().balance)

    # What was earned and spent.
    booked = client.read_incentive_transaction_list().incentive_transactions
    print(booked[-1].description, booked[-1].old_value, "->", booked[-1].new_value)

    # What is too dear is refused, and nothing is spent.
    try:
        client.redeem_incentive_code(incentive_id=offers[-1].id)
    except sondage.ApiError as error:
        print(error.error_code)
