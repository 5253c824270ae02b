"""A voucher for somebody, on a survey platform in this process."""

import sondage

with sondage.Sandbox.demo() as box:
    client = box.client()

    # The credits, and the incentives that they can buy.
    balance = client.read_credit_balance().balance
    print("credits:", balance)
    offers = client.read_incentive_list().panel_incentives
    for offer in offers:
        print(f"{offer.name}: {offer.price_in_credits} credits, {offer.available_vouchers_count} left")

    # Buy one voucher. Printing the response does not print its code.
    redeemed = client.redeem_incentive_code(incentive_id=offers[0].id)
    print(redeemed)
    print("credits:", client.read_credit_balance().balance)

    # The transactions: credits earned and spent.
    booked = client.read_incentive_transaction_list().incentive_transactions
    print(booked[-1].description, booked[-1].old_value, "->", booked[-1].new_value)

    # An incentive that is too expensive is refused, and nothing is spent.
    try:
        client.redeem_incentive_code(incentive_id=offers[-1].id)
    except sondage.ApiError as error:
        print(error.error_code)
